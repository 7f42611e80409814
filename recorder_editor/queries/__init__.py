"""Questions to a recording: statistics, differences, texts. They read; nothing here changes anything."""
