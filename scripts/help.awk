# Prints the targets of a Makefile: "##@ Heading" lines and "target: … ## words" lines.
/^##@ / { printf "%s%s\n", (seen++ ? "\n" : ""), substr($0, 5) }
/^[a-z-]+:.*## / {
  words = $0
  sub(/^.*## /, "", words)
  gsub(/\$\$/, "$", words)
  sub(/:.*/, "")
  printf "  make %-12s %s\n", $0, words
}
