import type { Readable, Writable } from 'node:stream'
import {
  CodeActionKind, CodeActionRequest, CompletionRequest, DidChangeTextDocumentNotification, DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification, ErrorCodes, ExecuteCommandRequest, ExitNotification, HoverRequest, InitializeRequest,
  PublishDiagnosticsNotification, ResponseError, ShutdownRequest, StreamMessageReader, StreamMessageWriter, TextDocumentSyncKind,
  createProtocolConnection,
} from 'vscode-languageserver-protocol/node'
import type { InitializeResult, ProtocolConnection } from 'vscode-languageserver-protocol/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { completeAt, describeAt, explainDocument, findActions, findDiagnostics } from './answer-editor.ts'
import { RuleDocuments } from './rule-documents.ts'

/** The command by which an editor has the rule of a document explained on an event. */
const explainCommand = 'tripline.explain'

/**
 * Serves the Language Server Protocol on two streams until the editor says exit or goes: diagnostics, fixes, completion, what a
 * rule finds, and explanations. Resolves to whether the editor shut it down first, as the protocol asks.
 */
export async function serveLanguage(
  { input, output, version }: { readonly input: Readable; readonly output: Writable; readonly version: string },
): Promise<boolean> {
  const connection = createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output))
  const documents = new RuleDocuments()
  let isShutDown = false
  const ended = new Promise<boolean>((resolve) => {
    connection.onNotification(ExitNotification.type, () => resolve(isShutDown))
    connection.onClose(() => resolve(isShutDown))
  })
  connection.onRequest(InitializeRequest.type, () => createAnswer(version))
  connection.onRequest(ShutdownRequest.type, () => {
    isShutDown = true
  })
  addDocuments(connection, documents)
  addRequests(connection, documents)
  connection.listen()
  const result = await ended
  connection.dispose()
  // An open stdin would keep the process.
  input.destroy()
  return result
}

function createAnswer(version: string): InitializeResult {
  return {
    serverInfo: { name: 'tripline', version },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full },
      completionProvider: { triggerCharacters: ['|', ':', ' '] },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] },
      hoverProvider: true,
      executeCommandProvider: { commands: [explainCommand] },
    },
  }
}

function addDocuments(connection: ProtocolConnection, documents: RuleDocuments): void {
  const publish = (document: TextDocument): void => {
    const diagnostics = findDiagnostics(documents, document)
    void connection.sendNotification(PublishDiagnosticsNotification.type, { uri: document.uri, version: document.version, diagnostics })
  }
  connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument: { uri, version, text } }) => {
    publish(documents.set(uri, version, text))
  })
  connection.onNotification(DidChangeTextDocumentNotification.type, ({ textDocument: { uri, version }, contentChanges }) => {
    const last = contentChanges.at(-1)
    if (last !== undefined) publish(documents.set(uri, version, last.text))
  })
  connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
    documents.close(uri)
    void connection.sendNotification(PublishDiagnosticsNotification.type, { uri, diagnostics: [] })
  })
}

function addRequests(connection: ProtocolConnection, documents: RuleDocuments): void {
  const require = (uri: string): TextDocument => {
    const document = documents.get(uri)
    if (document === undefined) throw new ResponseError(ErrorCodes.InvalidParams, `the document '${uri}' is not open`)
    return document
  }
  connection.onRequest(CompletionRequest.type, ({ textDocument, position }) => completeAt(require(textDocument.uri), position))
  connection.onRequest(CodeActionRequest.type, ({ textDocument, range }) => findActions(documents, require(textDocument.uri), range))
  connection.onRequest(HoverRequest.type, ({ textDocument, position }) => {
    const value = describeAt(documents, require(textDocument.uri), position)
    return value === undefined ? null : { contents: { kind: 'markdown', value } }
  })
  connection.onRequest(ExecuteCommandRequest.type, ({ command, arguments: given = [] }) => {
    const [uri, event]: readonly unknown[] = given
    if (command !== explainCommand || typeof uri !== 'string' || typeof event !== 'string') {
      const message = `the command is ${explainCommand} with the address of a document and an event as JSON`
      throw new ResponseError(ErrorCodes.InvalidParams, message)
    }
    return explainDocument(documents, require(uri), event)
  })
}
