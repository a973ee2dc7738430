// What the single executable runs: unpacks the program that it carries into a cache, once for each version, and starts it there.
// The name of the folder is the checksum of what is in it. CommonJS, without dependencies: Node embeds this one file.
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const { dirname, join } = require('node:path')
const { getAsset, getRawAsset } = require('node:sea')
const { pathToFileURL } = require('node:url')
const vm = require('node:vm')
const { zstdDecompressSync } = require('node:zlib')

const program = JSON.parse(getAsset('program', 'utf8'))
const payload = Buffer.from(getRawAsset('tree'))
const checksum = createHash('sha256').update(payload).digest('hex').slice(0, 32)
const folder = unpackOnce(findCache())
// As with Node itself: the program comes after the executable.
const main = join(folder, program.path)
process.argv[1] = main
const importProgram = new vm.Script('(url) => import(url)', { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })
importProgram.runInThisContext()(pathToFileURL(main).href)

/** The first folder that takes files: of the service, of the user, or of this user for as long as the machine runs. */
function findCache() {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME } = process.env
  const candidates = [
    CACHE_DIRECTORY?.split(':')[0], join(XDG_CACHE_HOME || join(os.homedir(), '.cache'), program.name), join(os.tmpdir(), `${program.name}-${process.getuid()}`),
  ]
  for (const candidate of candidates) {
    if (!candidate) continue
    try {
      fs.mkdirSync(candidate, { recursive: true, mode: 0o700 })
      fs.accessSync(candidate, fs.constants.W_OK)
      // Another user's folder could hold another program.
      if (fs.statSync(candidate).uid === process.getuid()) return candidate
    } catch {
      // The next one.
    }
  }
  process.stderr.write(`${program.name}: no folder takes the program's files; set XDG_CACHE_HOME to one that does (tried ${candidates.join(', ')})\n`)
  process.exit(74)
}

function unpackOnce(cache) {
  const target = join(cache, checksum)
  if (fs.existsSync(target)) return target
  const draft = fs.mkdtempSync(join(cache, 'draft-'))
  const bytes = zstdDecompressSync(payload)
  const headLength = bytes.readUInt32LE(0)
  let offset = 4 + headLength
  for (const [path, length] of JSON.parse(bytes.toString('utf8', 4, offset))) {
    fs.mkdirSync(dirname(join(draft, path)), { recursive: true })
    fs.writeFileSync(join(draft, path), bytes.subarray(offset, offset + length))
    offset += length
  }
  try {
    fs.renameSync(draft, target)
  } catch (error) {
    // Another process was first, with the same files.
    fs.rmSync(draft, { recursive: true })
    if (!fs.existsSync(target)) throw error
  }
  return target
}
