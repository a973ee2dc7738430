import { scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../domain/app-error.ts'
import { SerialQueue } from '../domain/serial-queue.ts'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'

/** What a hash costs: `2 ** costLog2 * blockSize * 128` bytes of memory, gone through `passes` times. */
export type ScryptParameters = { readonly costLog2: number; readonly blockSize: number; readonly passes: number }

/**
 * 32 MiB and three passes, one of the settings that OWASP calls equal to the strongest. More memory and one pass
 * would cost an attacker a little more, but could not stay within the 64 MiB that no request may take.
 */
const scryptParameters: ScryptParameters = { costLog2: 15, blockSize: 8, passes: 3 }

/** What became of a password: `outdated` is right, but was hashed with other parameters than those of today. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong'

/**
 * Hashes passwords, one after the other: each takes its memory alone, and one of the few threads that also sync
 * files. It tells nobody a password, neither in errors nor in logs.
 */
export class PasswordHasher {
  readonly #randomBytes: Runtime['randomBytes']
  readonly #parameters: ScryptParameters
  readonly #queue = new SerialQueue()
  #waitingCount = 0

  constructor({ randomBytes }: Pick<Runtime, 'randomBytes'>, parameters: ScryptParameters = scryptParameters) {
    this.#randomBytes = randomBytes
    this.#parameters = parameters
  }

  /**
   * Hashes a new password: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, which says by itself how to verify it.
   *
   * @throws AppError INVALID_PARAMETER if it is too short or too long or has a NUL, UNAVAILABLE if too many wait.
   */
  async hash(password: string): Promise<string> {
    const { passwordLengthMin: min, passwordLengthMax: max } = limits.auth
    const { length } = normalize(password)
    if (length < min || length > max) {
      throw new AppError('INVALID_PARAMETER', `the password has ${length} characters; use ${min} to ${max}`)
    }
    if (password.includes(nul)) throw new AppError('INVALID_PARAMETER', 'the password contains a NUL character; remove it')
    return this.rehash(password)
  }

  /**
   * Hashes a password that is right already, even if one like it would not be taken as a new one any more.
   *
   * @throws AppError UNAVAILABLE if too many wait.
   */
  async rehash(password: string): Promise<string> {
    const salt = this.#randomBytes(saltLength)
    return printHash({ parameters: this.#parameters, salt, key: await this.#derive(password, salt, this.#parameters) })
  }

  /**
   * Compares a password with a hash. Without one the answer is `wrong` and takes as long, so that time does not
   * tell which accounts there are.
   *
   * @throws Error for a text that is no hash of ours, AppError UNAVAILABLE if too many wait.
   */
  async verify(password: string, hash: string | undefined): Promise<PasswordVerdict> {
    // Nobody's password is like that; hashing it would only cost.
    if (password.length > limits.auth.passwordLengthMax * compositionMax || password.includes(nul)) return 'wrong'
    const stored = hash === undefined ? undefined : parseHash(hash)
    const { parameters, salt, key } = stored ?? this.#dummyHash()
    const isEqual = timingSafeEqual(await this.#derive(password, salt, parameters), key)
    if (!isEqual || stored === undefined) return 'wrong'
    return printParameters(parameters) === printParameters(this.#parameters) ? 'right' : 'outdated'
  }

  #dummyHash(): StoredHash {
    return { parameters: this.#parameters, salt: new Uint8Array(saltLength), key: new Uint8Array(keyLength) }
  }

  async #derive(password: string, salt: Uint8Array, parameters: ScryptParameters): Promise<Uint8Array> {
    if (this.#waitingCount >= limits.auth.passwordsWaitingMax) {
      throw new AppError('UNAVAILABLE', `${this.#waitingCount} passwords are waiting to be checked; retry later`)
    }
    this.#waitingCount++
    try {
      return await this.#queue.run(() => derive(normalize(password), salt, parameters))
    } finally {
      this.#waitingCount--
    }
  }
}

type StoredHash = { readonly parameters: ScryptParameters; readonly salt: Uint8Array; readonly key: Uint8Array }

/** To scrypt, whose HMAC fills up keys with it, NULs at the end are nothing. */
const nul = '\0'
/** Characters that may be typed for one of a composed password. */
const compositionMax = 4

const saltLength = 16
const keyLength = 32

/** What a stored hash may ask of us: a store that was tampered with does not stop the server. */
const memoryBytesMax = 134_217_728
const passesMax = 16

/** The same letters are the same password, however a keyboard composes them. */
function normalize(password: string): string {
  return password.normalize('NFC')
}

function derive(password: string, salt: Uint8Array, { costLog2, blockSize, passes }: ScryptParameters): Promise<Uint8Array> {
  const options = { N: 2 ** costLog2, r: blockSize, p: passes, maxmem: 2 * memoryBytesMax }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyLength, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

function printHash({ parameters, salt, key }: StoredHash): string {
  return `$scrypt$${printParameters(parameters)}$${toBase64(salt)}$${toBase64(key)}`
}

function printParameters({ costLog2, blockSize, passes }: ScryptParameters): string {
  return `ln=${costLog2},r=${blockSize},p=${passes}`
}

function parseHash(text: string): StoredHash {
  const [, costLog2, blockSize, passes, salt, key] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/.exec(text) ?? []
  const parameters = { costLog2: Number(costLog2), blockSize: Number(blockSize), passes: Number(passes) }
  const isBearable = 2 ** parameters.costLog2 * parameters.blockSize * 128 <= memoryBytesMax && parameters.passes <= passesMax
  if (salt === undefined || key === undefined || !isBearable) throw new Error('a stored password hash has an unknown format')
  return { parameters, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
}

/** As the PHC string format has it: without padding. */
function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}
