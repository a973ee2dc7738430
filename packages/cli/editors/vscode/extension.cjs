// The VS Code side of `tripline language-server`: starts it, and asks for an event to explain a rule on.
const vscode = require('vscode')
const { LanguageClient, TransportKind } = require('vscode-languageclient/node')

let client

exports.activate = async (context) => {
  const settings = vscode.workspace.getConfiguration('tripline')
  const [command = 'tripline', ...args] = settings.get('command')
  client = new LanguageClient(
    'tripline',
    'Tripline',
    { command, args: [...args, 'language-server'], transport: TransportKind.stdio },
    { documentSelector: [{ scheme: 'file', language: 'yaml', pattern: settings.get('files') }] },
  )
  context.subscriptions.push(vscode.commands.registerCommand('tripline.explainOnEvent', explainOnEvent))
  await client.start()
}

exports.deactivate = () => client?.stop()

async function explainOnEvent() {
  const editor = vscode.window.activeTextEditor
  const event = editor && await vscode.window.showInputBox({ prompt: 'An event as JSON, on one line' })
  if (event === undefined) return
  const text = await client.sendRequest('workspace/executeCommand', {
    command: 'tripline.explain', arguments: [client.code2ProtocolConverter.asUri(editor.document.uri), event],
  })
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }), vscode.ViewColumn.Beside)
}
