import type { YamlScalar } from '../sigma/yaml-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'
import { pathFields, programFields } from './event-fields.ts'
import { listItems, findMap, findScalar } from './lint-document.ts'
import type { LintDocument, LintItem } from './lint-document.ts'

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

/** Paths of files and keys of the registry, as events of Windows write them. */
export const pathChecks = defineCheckFamily({
  name: 'paths',
  frame: 'selection',
  subjects: listPathValues,
  checks: [
    {
      code: 'PROGRAM_WITHOUT_BACKSLASH', level: 'problem', fix: 'suggested',
      text: 'The name of a program is compared by how the path ends, without the backslash before it.',
      bad: "Image|endswith: 'cmd.exe'",
      good: "Image|endswith: '\\cmd.exe'",
      find: ({ document, field, modifiers, scalar, text, offset }) => {
        const isEnd = modifiers.length === 1 && modifiers[0] === 'endswith'
        if (!programFields.has(field) || !isEnd || !/^[\w-]+\.(?:exe|com)$/i.test(text)) return
        const edits = allOrNone([rewriteScalar(document.text, scalar, `\\${text}`)])
        return {
          offset, message: `'${text}' is also the end of other names, such as 'x${text}'`, hint: `write '\\${text}'`, edits,
        }
      },
    },
    {
      code: 'PROGRAM_WITHOUT_PATH', level: 'problem',
      text: 'A field that holds a whole path is compared with the name of a program alone.',
      bad: 'Image: cmd.exe',
      good: "Image|endswith: '\\cmd.exe'",
      find: ({ field, modifiers, text, offset }) => {
        const isWhole = modifiers.every((name) => name === 'startswith' || name === 'cased')
        if (!programFields.has(field) || !isWhole || !/^[\w-]+\.(?:exe|com|dll)$/i.test(text)) return
        return {
          offset, message: `'${field}' holds a whole path, never '${text}' alone`, hint: `write '${field}|endswith: \\${text}'`,
        }
      },
    },
    {
      code: 'PATH_SLASHES', level: 'problem',
      text: 'A path of Windows is written with slashes instead of backslashes.',
      bad: "Image|endswith: '/cmd.exe'",
      good: "Image|endswith: '\\cmd.exe'",
      find: ({ field, text, offset }) => !pathFields.has(field) || !/^(?:[a-z]:)?(?:\/[\w. -]+)+$/i.test(text) ? undefined
        : { offset, message: `paths of Windows have backslashes, not '${text}'` },
    },
    {
      code: 'PATH_ENDS_WITH_BACKSLASH', level: 'problem',
      text: 'The path of a program is asked to end with a backslash, which none does.',
      bad: "Image|endswith: '\\Temp\\'",
      good: "Image|contains: '\\Temp\\'",
      find: ({ field, modifiers, text, offset }) => {
        const isEnd = !modifiers.some((name) => name === 'contains' || name === 'startswith') && /[^*]\\$/.test(text)
        if (!programFields.has(field) || !isEnd) return
        return {
          offset, message: `the path of a program never ends with a backslash, as '${text}' does`,
          hint: "write 'contains' or 'startswith'",
        }
      },
    },
    {
      code: 'PATH_VARIABLE', level: 'problem',
      text: 'A path is compared with a variable of the environment, which events have filled in.',
      bad: "TargetFilename|startswith: '%appdata%\\'",
      good: "TargetFilename|contains: '\\AppData\\Roaming\\'",
      find: ({ field, text, offset }) => {
        const [, name = ''] = /%([\w()]+)%/.exec(text) ?? []
        if (!pathFields.has(field) || !environmentVariables.includes(name.toLowerCase())) return
        return { offset, message: `the path in '${field}' has the value of %${name}%, not its name` }
      },
    },
    {
      code: 'REGISTRY_ROOT', level: 'problem',
      text: 'A key of the registry is written with a root that events abbreviate.',
      bad: "TargetObject|startswith: 'HKEY_LOCAL_MACHINE\\Software'",
      good: "TargetObject|startswith: 'HKLM\\Software'",
      find: ({ field, text, offset }) => {
        const [, root = ''] = /^[\\*]*(HKEY_(?:LOCAL_MACHINE|USERS|CURRENT_USER|CLASSES_ROOT)|HKCU)(?:\\|$)/i.exec(text) ?? []
        if (field !== 'TargetObject' || root === '') return
        const short = root.toUpperCase().endsWith('MACHINE') ? 'HKLM' : 'HKU'
        const isUser = /CURRENT_USER|HKCU/i.test(root)
        const hint = isUser ? `events have the user's own key below HKU: compare how the key ends` : `write '${short}'`
        return { offset, message: `keys in events never begin with '${root}'`, hint }
      },
    },
    {
      code: 'REGISTRY_CONTROL_SET', level: 'advice',
      text: "A key names one control set by its number, where most events have 'CurrentControlSet'.",
      bad: "TargetObject|startswith: 'HKLM\\SYSTEM\\ControlSet001\\Services'",
      good: "TargetObject|contains: '\\Services\\'",
      find: ({ field, text, offset }) => field !== 'TargetObject' || !/ControlSet00\d\\/i.test(text) ? undefined
        : { offset, message: `'${text}' names one control set by its number`, hint: "most events have 'CurrentControlSet'" },
    },
    {
      code: 'ACCESS_MASK_FORM', level: 'problem',
      text: 'An access mask is written in a form that events do not have.',
      bad: "GrantedAccess: '0x01F'",
      good: "GrantedAccess: '0x1f'",
      find: ({ field, text, offset }) => field !== 'GrantedAccess' || !/^0x0+[\da-f]+$/i.test(text) ? undefined
        : {
          offset, message: `'${text}' begins with a zero, which masks in events do not`,
          hint: `write '0x${text.slice(2).replace(/^0+/, '')}'`,
        },
    },
  ],
})

/** The texts that fields of Windows events are compared with; nothing for other products. */
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
