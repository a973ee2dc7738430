import { omitUndefined } from '@tripline/common/omit-undefined'
import { identityRowSchema } from '@tripline/contract/console/enrichment/identity'
import type { IdentityChange } from '@tripline/contract/console/enrichment/identity'
import { foldLoginName } from '@tripline/model/enrichment/directory-user'
import type { DirectoryUserFacts } from '@tripline/model/enrichment/directory-user'
import { normalizeEmail } from '@tripline/model/enrichment/indicator'
import { removeDuplicates, invalidBody, normalizeValue } from './normalize-value.ts'
import type { RowReader } from './open-import-file.ts'

/** Converts a directory user's change to its normalized facts. @throws AppError INVALID_BODY for an invalid email address. */
export function parseDirectoryUserFacts({ email, department, is_privileged, aliases, last_seen,
  sources }: IdentityChange): Partial<DirectoryUserFacts> {
  return omitUndefined({
    email: email && normalizeValue('email', email, normalizeEmail, 'an email address'),
    department,
    isPrivileged: is_privileged,
    aliases: aliases && removeDuplicates(aliases.map(foldLoginName).filter((name) => name !== '')),
    lastSeenAt: last_seen,
    sources: sources && removeDuplicates(sources),
  })
}

/** Directory users as rows of an imported file, identified by name. */
export const identityRows: RowReader<Pick<DirectoryUserFacts, 'name'> & Partial<DirectoryUserFacts>, typeof identityRowSchema> = {
  columns: {
    name: 'text', email: 'text', department: 'text', is_privileged: 'flag', aliases: 'list', last_seen: 'text', sources: 'list',
  },
  schema: identityRowSchema,
  parseFacts: ({ name: text, ...change }) => {
    const name = foldLoginName(text)
    if (name === '') throw invalidBody("name: must not be empty")
    return { sources: ['import'], ...parseDirectoryUserFacts(change), name }
  },
}
