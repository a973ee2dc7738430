import { latest } from './asset.ts'

/** Facts about a directory user. */
export type DirectoryUserFacts = {
  /** The login name, folded by `foldLoginName`; unique in the tenant. */
  readonly name: string
  /** Empty if unknown. */
  readonly email: string
  readonly department: string
  readonly isPrivileged: boolean
  /** Other names of the same user in events, folded: `corp\alice`, a UPN, a SID. */
  readonly aliases: readonly string[]
  readonly lastSeenAt: number | undefined
  /** Where the facts come from: an import, events. */
  readonly sources: readonly string[]
}

/** A directory user, human or service, that user names in events refer to. The API calls them identities. */
export type DirectoryUser = DirectoryUserFacts & {
  readonly id: string
  /** Counts the changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A directory user without any facts. */
export const unknownDirectoryUser: DirectoryUserFacts = {
  name: '', email: '', department: '', isPrivileged: false, aliases: [], lastSeenAt: undefined, sources: [],
}

/** Folds a login name for lookup: directories ignore case. */
export function foldLoginName(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/**
 * The names under which an event's user is looked up, most specific first: as written, and `CORP\alice` also as `alice`. The
 * part before an `@` is not tried alone, because `alice@elsewhere.example` may be another user.
 */
export function listLookupNames(user: string): string[] {
  const name = foldLoginName(user)
  const plain = name.slice(name.lastIndexOf('\\') + 1)
  return [...new Set([name, plain])].filter((tried) => tried !== '' && tried !== '-')
}

/** All names of a directory user without duplicates, primary name first. */
export function listAllNames({ name, email, aliases }: Pick<DirectoryUserFacts, 'name' | 'email' | 'aliases'>): string[] {
  return [...new Set([name, foldLoginName(email), ...aliases])].filter((known) => known !== '')
}

/** Merges new facts into known ones: later times win, sources are combined. */
export function mergeDirectoryUser<Known extends DirectoryUserFacts>(known: Known, stated: Partial<DirectoryUserFacts>): Known {
  const sources = [...new Set([...known.sources, ...(stated.sources ?? [])])]
  return { ...known, ...stated, sources, lastSeenAt: latest(known.lastSeenAt, stated.lastSeenAt) }
}
