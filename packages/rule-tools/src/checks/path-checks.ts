import type { YamlScalar } from '@tripline/engine/yaml'
import { listItems, findMap, findScalar } from '../document/lint-document.ts'
import type { LintDocument, LintItem } from '../document/lint-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'
import { pathFields, programFields } from './event-fields.ts'

const environmentVariables = `allusersprofile appdata commonprogramfiles homedrive homepath localappdata programdata programfiles
  programfiles(x86) public systemdrive systemroot temp tmp userprofile windir`.split(/\s+/)

type PathValue = {
  readonly document: LintDocument
  readonly field: string
  readonly modifiers: readonly string[]
  readonly scalar: YamlScalar
  readonly text: string
  readonly offset: number
}

/** Checks on file paths and registry keys of Windows. */
export const pathChecks = defineCheckFamily({
  name: 'paths',
  frame: 'selection',
  subjects: listPathValues,
  checks: [
    {
      code: 'PROGRAM_WITHOUT_BACKSLASH', level: 'problem', fix: 'suggested',
      text: 'The name of a program is compared with the end of a path, without the backslash before it.',
      bad: "Image|endswith: 'cmd.exe'",
      good: "Image|endswith: '\\cmd.exe'",
      find: ({ document, field, modifiers, scalar, text, offset }) => {
        const isEnd = modifiers.length === 1 && modifiers[0] === 'endswith'
        if (!programFields.has(field) || !isEnd || !/^[\w-]+\.(?:exe|com)$/i.test(text)) return
        const edits = allOrNone([rewriteScalar(document.text, scalar, `\\${text}`)])
        return {
          offset, message: `'${text}' also matches other names, such as 'x${text}'`, hint: `write '\\${text}'`, edits,
        }
      },
    },
    {
      code: 'PROGRAM_WITHOUT_PATH', level: 'problem',
      text: 'A field with a full path is compared with the name of a program.',
      bad: 'Image: cmd.exe',
      good: "Image|endswith: '\\cmd.exe'",
      find: ({ field, modifiers, text, offset }) => {
        const isWhole = modifiers.every((name) => name === 'startswith' || name === 'cased')
        if (!programFields.has(field) || !isWhole || !/^[\w-]+\.(?:exe|com|dll)$/i.test(text)) return
        return {
          offset, message: `'${field}' holds a full path, never only '${text}'`, hint: `write '${field}|endswith: \\${text}'`,
        }
      },
    },
    {
      code: 'PATH_SLASHES', level: 'problem',
      text: 'A Windows path has slashes instead of backslashes.',
      bad: "Image|endswith: '/cmd.exe'",
      good: "Image|endswith: '\\cmd.exe'",
      find: ({ field, text, offset }) => !pathFields.has(field) || !/^(?:[a-z]:)?(?:\/[\w. -]+)+$/i.test(text) ? undefined
        : { offset, message: `Windows paths have backslashes, not slashes as in '${text}'` },
    },
    {
      code: 'PATH_ENDS_WITH_BACKSLASH', level: 'problem',
      text: 'The path of a program must end with a backslash, which never happens.',
      bad: "Image|endswith: '\\Temp\\'",
      good: "Image|contains: '\\Temp\\'",
      find: ({ field, modifiers, text, offset }) => {
        const isEnd = !modifiers.some((name) => name === 'contains' || name === 'startswith') && /[^*]\\$/.test(text)
        if (!programFields.has(field) || !isEnd) return
        return {
          offset, message: `the path of a program never ends with a backslash, but '${text}' does`,
          hint: "use 'contains' or 'startswith'",
        }
      },
    },
    {
      code: 'PATH_VARIABLE', level: 'problem',
      text: 'A path is compared with an environment variable, but events have its value.',
      bad: "TargetFilename|startswith: '%appdata%\\'",
      good: "TargetFilename|contains: '\\AppData\\Roaming\\'",
      find: ({ field, text, offset }) => {
        const [, name = ''] = /%([\w()]+)%/.exec(text) ?? []
        if (!pathFields.has(field) || !environmentVariables.includes(name.toLowerCase())) return
        return { offset, message: `'${field}' holds the value of %${name}%, not its name` }
      },
    },
    {
      code: 'REGISTRY_ROOT', level: 'problem',
      text: 'A registry key has a root that events abbreviate.',
      bad: "TargetObject|startswith: 'HKEY_LOCAL_MACHINE\\Software'",
      good: "TargetObject|startswith: 'HKLM\\Software'",
      find: ({ field, text, offset }) => {
        const [, root = ''] = /^[\\*]*(HKEY_(?:LOCAL_MACHINE|USERS|CURRENT_USER|CLASSES_ROOT)|HKCU)(?:\\|$)/i.exec(text) ?? []
        if (field !== 'TargetObject' || root === '') return
        const short = root.toUpperCase().endsWith('MACHINE') ? 'HKLM' : 'HKU'
        const isUser = /CURRENT_USER|HKCU/i.test(root)
        const hint = isUser ? `events have the user's key below HKU; compare the end of the key` : `write '${short}'`
        return { offset, message: `registry keys in events never begin with '${root}'`, hint }
      },
    },
    {
      code: 'REGISTRY_CONTROL_SET', level: 'advice',
      text: "A registry key names one control set by number, but most events have 'CurrentControlSet'.",
      bad: "TargetObject|startswith: 'HKLM\\SYSTEM\\ControlSet001\\Services'",
      good: "TargetObject|contains: '\\Services\\'",
      find: ({ field, text, offset }) => field !== 'TargetObject' || !/ControlSet00\d\\/i.test(text) ? undefined
        : { offset, message: `'${text}' names one control set by number`, hint: "most events have 'CurrentControlSet'" },
    },
    {
      code: 'ACCESS_MASK_FORM', level: 'problem',
      text: 'An access mask has a format that never occurs in events.',
      bad: "GrantedAccess: '0x01F'",
      good: "GrantedAccess: '0x1f'",
      find: ({ field, text, offset }) => field !== 'GrantedAccess' || !/^0x0+[\da-f]+$/i.test(text) ? undefined
        : {
          offset, message: `'${text}' has leading zeros, but masks in events do not`,
          hint: `write '0x${text.slice(2).replace(/^0+/, '')}'`,
        },
    },
  ],
})

/** Lists the texts that rules for Windows compare with fields; empty for other products. */
function listPathValues(document: LintDocument): PathValue[] {
  const logsource = findMap(document, 'logsource')
  if (logsource === undefined || findScalar(logsource, 'product')?.text.toLowerCase() !== 'windows') return []
  return listItems(document).flatMap(readPathValues)
}

function readPathValues({ document, field, modifiers, values }: LintItem): PathValue[] {
  const isEncoded = modifiers.some((name) => /^(?:re|expand|fieldref|base64.*|wide|utf16.*|cidr|exists)$/.test(name))
  if (field === undefined || isEncoded) return []
  return values.flatMap((scalar) =>
    typeof scalar.value === 'string' ? [{ document, field, modifiers, scalar, text: scalar.text, offset: scalar.offset }] : [])
}
