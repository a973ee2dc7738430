import { limits } from '../limits.ts'

/** Whether an API key is valid and expires within the time in which its users are warned. */
export function expiresSoon(expiresAt: number | undefined, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs < expiresAt && expiresAt - nowMs <= limits.auth.apiKeyNoticeMs
}
