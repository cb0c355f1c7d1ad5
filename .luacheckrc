std = "max"
max_line_length = 100
files["spec"] = { std = "max+busted" }
exclude_files = { "build", "build-*" }
