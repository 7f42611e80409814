"""Many files at once: processes, a Dask cluster, folders of highD, the index of a folder."""
