-- modfs.codec: compressed streams as files.
return require("modfs.core").codec
