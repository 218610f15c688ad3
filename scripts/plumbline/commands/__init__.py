"""The subcommands of `plumbline`, one small file each."""
