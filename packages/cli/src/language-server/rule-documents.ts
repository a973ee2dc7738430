import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RuleSource } from '@tripline/engine'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { limits } from '../limits.ts'

/** The rules that an editor has open, as texts by their addresses, and the files beside them. */
export class RuleDocuments {
  readonly #open = new Map<string, TextDocument>()

  set(uri: string, version: number, text: string): TextDocument {
    const document = TextDocument.create(uri, 'yaml', version, text)
    this.#open.set(uri, document)
    return document
  }

  close(uri: string): void {
    this.#open.delete(uri)
  }

  get(uri: string): TextDocument | undefined {
    return this.#open.get(uri)
  }

  /** A document first, then the rules of its folder, which it may refer to by id or name; open ones as they are in the editor. */
  listSources(document: TextDocument): RuleSource[] {
    const own = toPath(document.uri)
    const opened = new Map([...this.#open.values()].map((one) => [toPath(one.uri), one.getText()]))
    const beside = own === document.uri ? [] : listRuleFiles(dirname(own)).filter((path) => path !== own)
    return [
      { path: own, text: document.getText() },
      ...beside.flatMap((path) => {
        const text = opened.get(path) ?? readText(path)
        return text === undefined ? [] : [{ path, text }]
      }),
    ]
  }
}

/** The path of a file; addresses of other schemes, such as unsaved documents, stay as they are. */
function toPath(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri
}

function listRuleFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)).sort()
    return names.slice(0, limits.editorFilesMax).map((name) => join(folder, name))
  } catch {
    // A new document may stand in a folder that is not there yet.
    return []
  }
}

function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path)
    return bytes.length > limits.ruleFileBytesMax ? undefined : bytes.toString('utf8')
  } catch {
    // It may have been removed since the folder was listed; references to it are then reported.
    return undefined
  }
}
