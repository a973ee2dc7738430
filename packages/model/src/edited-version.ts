/**
 * A resource that people edit and the system adds to. Each change has a version of its own, and an edit keeps its version as the
 * edited one: who has seen that version, or a later one, overwrites no edit.
 */
type EditedVersion = { readonly version: number; readonly editedVersion: number }

/** The versions of a resource after an edit. */
export function nextEdit({ version }: Pick<EditedVersion, 'version'>): EditedVersion {
  return { version: version + 1, editedVersion: version + 1 }
}

/** Whether a resource has had no edit since a version of it was seen; without edited versions every change is an edit. */
export function isUnedited(
  { version, editedVersion = version }: Pick<EditedVersion, 'version'> & Partial<EditedVersion>, seen: number,
): boolean {
  return seen >= editedVersion && seen <= version
}
