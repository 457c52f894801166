"""To and from other programs: Gambit, OpenSpiel, Parquet."""
