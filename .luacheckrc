std = "max"
max_line_length = 100
files["spec"] = { std = "max+busted" }
files["examples/nginx"] = { globals = { "ngx" } }
files["bench/latency_ways.lua"] = { globals = { "ngx" } }
files["examples/love"] = { globals = { "love" } }
files["spec/children/love_frames.lua"] = { globals = { "love" } }
exclude_files = { "build", "build-*" }
