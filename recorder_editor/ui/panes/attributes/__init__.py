"""Whatever is selected, as a form: the values, their bytes, and editors made from the schema."""
