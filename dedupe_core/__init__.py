"""The pure core: values in, values out. No files, network, clock, environment, logging or settings."""
