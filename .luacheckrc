std = "max"
max_line_length = 100
files["spec"] = { std = "max+busted" }
files["examples/nginx"] = { globals = { "ngx" } }
exclude_files = { "build", "build-*" }
