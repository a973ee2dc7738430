import type { SessionClient } from '@tripline/model/access/session'
import type { Principal } from '@tripline/model/access/principal'
import { limits } from '../../limits.ts'

/** Browsers by their token in a user agent. Each claims to be those after it, so the first that is found counts. */
const browsers: readonly (readonly [token: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

/** Operating systems, the same way: Android claims to be Linux, and iOS to be like Mac OS X. */
const systems: readonly (readonly [token: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Reads from where a session is used: the address, and the families of browser and system in the place of the user agent, which would
 * state more of the user than they need to recognise the session. Another program is named by its first token, such as `curl`.
 */
export function readSessionClient({ ip, userAgent = '' }: Pick<Principal, 'ip' | 'userAgent'>): SessionClient {
  const read = userAgent.slice(0, limits.auth.userAgentLengthMax)
  const find = (rows: typeof browsers): string | undefined => rows.find(([token]) => token.test(read))?.[1]
  const browser = find(browsers) ?? /^(?!Mozilla\b)[\w.-]{1,40}/.exec(read)?.[0]
  const system = find(systems)
  return {
    ...(ip !== undefined && ip !== '' && { address: ip }), ...(browser !== undefined && { browser }),
    ...(system !== undefined && { system }),
  }
}
