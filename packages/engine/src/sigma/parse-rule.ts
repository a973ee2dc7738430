import type { DiagnosticCollector } from '../diagnostics.ts'
import { parseDetection } from './detection.ts'
import { AttributeReader, readAttributes } from './rule-attributes.ts'
import type { DetectionRule } from './rule.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlMap } from './yaml-document.ts'

/** Parses a document as a detection rule and reports every problem. Undefined without a valid logsource and detection. */
export function parseDetectionRule(
  map: YamlMap,
  collector: DiagnosticCollector,
  { arraySyntax }: { readonly arraySyntax: boolean },
): DetectionRule | undefined {
  const attributes = readAttributes(map, collector, ['logsource', 'detection'])
  const read = new AttributeReader(map, collector)
  const logsource = read.readLogsource()
  const detectionEntry = read.readRequired('detection')
  if (detectionEntry === undefined) return undefined
  if (detectionEntry.value.kind !== 'map') {
    collector.error({ code: 'INVALID_ATTRIBUTE', message: "'detection' must be a map", offset: detectionEntry.value.offset })
    return undefined
  }
  const hasArraySyntax = arraySyntax || declaresArraySyntax(map)
  const detection = parseDetection(detectionEntry.value, { collector, hasArraySyntax })
  return logsource && { ...attributes, logsource, detection }
}

/** Whether a rule enables array syntax with `sigma-version: 3` or later (Sigma enhancement proposal 213). */
function declaresArraySyntax(map: YamlMap): boolean {
  const version = findEntry(map, 'sigma-version')?.value
  return version?.kind === 'scalar' && Number.parseInt(version.text, 10) >= 3
}
