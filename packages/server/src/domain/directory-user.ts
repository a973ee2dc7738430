import { latest } from './asset.ts'

/** What is stated of a person. */
export type DirectoryUserFacts = {
  /** The login name, in the form of `foldLoginName`; unique in the tenant. */
  readonly name: string
  /** Empty where it is not known. */
  readonly email: string
  readonly department: string
  readonly isPrivileged: boolean
  /** Other names that events have for the same person, folded: `corp\alice`, a UPN, a SID. */
  readonly aliases: readonly string[]
  readonly lastSeenAt: number | undefined
  /** Who told of the person: an import, events. */
  readonly sources: readonly string[]
}

/** Whom a user name in events stands for, people and services alike. The API calls them identities. */
export type DirectoryUser = DirectoryUserFacts & {
  readonly id: string
  /** Counts the changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A person of whom nothing is stated. */
export const unknownDirectoryUser: DirectoryUserFacts = {
  name: '', email: '', department: '', isPrivileged: false, aliases: [], lastSeenAt: undefined, sources: [],
}

/** A login name in the form in which it is looked up: case means nothing in directories. */
export function foldLoginName(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/**
 * Under which names a user of an event is looked up, the surest first: as it stands, and `CORP\alice` as `alice` too.
 * What stands before an `@` is not tried alone, for `alice@elsewhere.example` is somebody else.
 */
export function listLookupNames(user: string): string[] {
  const name = foldLoginName(user)
  const plain = name.slice(name.lastIndexOf('\\') + 1)
  return [...new Set([name, plain])].filter((tried) => tried !== '' && tried !== '-')
}

/** All names of a person, the most their own first, each once. */
export function listAllNames({ name, email, aliases }: Pick<DirectoryUserFacts, 'name' | 'email' | 'aliases'>): string[] {
  return [...new Set([name, foldLoginName(email), ...aliases])].filter((known) => known !== '')
}

/** What is newly stated replaces what was; what was seen later stays, and who told of it is added up. */
export function mergeDirectoryUser<Known extends DirectoryUserFacts>(known: Known, stated: Partial<DirectoryUserFacts>): Known {
  const sources = [...new Set([...known.sources, ...(stated.sources ?? [])])]
  return { ...known, ...stated, sources, lastSeenAt: latest(known.lastSeenAt, stated.lastSeenAt) }
}
