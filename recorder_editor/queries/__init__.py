"""Questions to a recording: statistics, expressions, texts. They read; nothing here changes anything."""
