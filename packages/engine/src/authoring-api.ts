// The exports of `@tripline/engine/authoring`: what tools for authors read of rules as they are written.
export { DiagnosticCollector } from './diagnostics.ts'
export type { Position } from './diagnostics.ts'
export { getRuleId, readAttributeText } from './rule-id.ts'
export { listSelectionNames, parseCondition } from './sigma/condition.ts'
export type { Condition } from './sigma/condition.ts'
export { toPlainObject } from './sigma/rule-attributes.ts'
export { collectDocuments } from './sigma/rule-collection.ts'
export { windowsCategories } from './taxonomy/windows-categories.ts'
