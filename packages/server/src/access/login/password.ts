import type { Runtime } from '@tripline/common/runtime'
import { SerialQueue } from '@tripline/common/serial-queue'
import { AppError } from '@tripline/contract/app-error'
import { scrypt, timingSafeEqual } from 'node:crypto'
import { limits } from '../../limits.ts'
import { findPasswordWeakness } from './weak-password.ts'

/** Scrypt cost: `2 ** costLog2 * blockSize * 128` bytes of memory, processed `passes` times. */
export type ScryptParameters = { readonly costLog2: number; readonly blockSize: number; readonly passes: number }

/**
 * 32 MiB and three passes, one of OWASP's equivalent recommendations. More memory and one pass would cost an attacker
 * slightly more, but exceeds the 64 MiB that a request may use.
 */
const scryptParameters: ScryptParameters = { costLog2: 15, blockSize: 8, passes: 3 }

/** The result of a verification: `outdated` is right, but hashed with older parameters. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong'

/** Scrypt's HMAC pads keys with NUL, so trailing NULs would be ignored. */
const nul = '\0'

/** Most characters that compose into a single one. */
const compositionMax = 4

const saltLength = 16
const keyLength = 32

/**
 * Hashes passwords with scrypt, one at a time: each hash takes its memory alone and blocks a thread of the pool that also
 * syncs files. Passwords never appear in errors or logs.
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
   * Hashes a new password as `$scrypt$ln=15,r=8,p=3$<salt>$<hash>` (PHC string format), which contains its parameters.
   *
   * @throws AppError INVALID_PARAMETER if it is too short, too long, easily guessed or contains NUL; UNAVAILABLE if too many are waiting.
   */
  async hash(password: string, email?: string): Promise<string> {
    checkNewPassword(password, email)
    return this.rehash(password)
  }

  /**
   * Hashes a random password, or rehashes a verified one, even if it would not be accepted as a new one.
   *
   * @throws AppError UNAVAILABLE if too many are waiting.
   */
  async rehash(password: string): Promise<string> {
    const salt = this.#randomBytes(saltLength)
    return printHash({ parameters: this.#parameters, salt, key: await this.#derive(password, salt, this.#parameters) })
  }

  /**
   * Verifies a password. Without a hash the result is `wrong` after the same time, so that timing does not reveal accounts.
   *
   * @throws Error for an unknown hash format; AppError UNAVAILABLE if too many are waiting.
   */
  async verify(password: string, hash: string | undefined): Promise<PasswordVerdict> {
    // Such a password cannot be stored, so hashing it would waste time.
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

/** Maximum cost of a stored hash, so that a tampered store cannot block the server. */
const memoryBytesMax = 134_217_728
const passesMax = 16

/** Normalizes Unicode: the same password typed on different keyboards is equal. */
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

/** Base64 without padding, as in the PHC string format. */
function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

/**
 * Checks that a password may be chosen.
 *
 * @throws AppError INVALID_PARAMETER if it is too short, too long, easily guessed or contains NUL.
 */
export function checkNewPassword(password: string, email?: string): void {
  const { passwordLengthMin: min, passwordLengthMax: max } = limits.auth
  const { length } = normalize(password)
  if (length < min || length > max) {
    throw new AppError('INVALID_PARAMETER', `the password has ${length} characters; use ${min} to ${max}`)
  }
  if (password.includes(nul)) throw new AppError('INVALID_PARAMETER', 'the password contains a NUL character; remove it')
  const weakness = findPasswordWeakness(password, email)
  if (weakness !== undefined) {
    throw new AppError('INVALID_PARAMETER', `the password is easily guessed: ${weakness}; choose another`)
  }
}
