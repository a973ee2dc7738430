import type { ExplanationBody } from '@tripline/contract/console/rule'

type Branch = Extract<ExplanationBody, { readonly node: string }>
type Join = Branch & { readonly node: 'and' | 'or' }

/** Whether a node of an explanation joins others by `and` or `or`. */
export function isJoin(node: ExplanationBody): node is Join {
  return !('op' in node) && (node.node === 'and' || node.node === 'or')
}

/** What a node is about; of joins in one level, since alternatives of an alternative are alternatives too. */
export function listParts(node: Branch): readonly ExplanationBody[] {
  if (!isJoin(node)) return node.children
  return node.children.map(unwrap).flatMap((child) => (isJoin(child) && child.node === node.node ? listParts(child) : [child]))
}

/** What stands alone below an `and` or `or`, or the node itself. */
function unwrap(node: ExplanationBody): ExplanationBody {
  const [single] = isJoin(node) && node.children.length === 1 ? node.children : []
  return single === undefined ? node : unwrap(single)
}
