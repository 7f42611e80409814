"""What every verb puts out, on real recordings and on the sample in every dialect, as hashes to compare."""
