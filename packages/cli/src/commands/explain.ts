import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { explain, explainCorrelation } from '@tripline/engine'
import { recognizeEvent } from '@tripline/engine/evaluate'
import { defineCommand } from '../framework/command.ts'
import { engineOptions, inputOptions, ruleOperands, ruleOptions } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { parseLineOption } from '../input/parse-line-option.ts'
import { readAllEvents } from '../input/read-all-events.ts'
import { hintUndated } from '../output/detect-report.ts'
import { printCorrelationExplanation, printCorrelationExplanationLine } from '../output/print-correlation-explanation.ts'
import { printRecognition, printExplanation, printExplanationLine } from '../output/print-explanation.ts'
import { loadRunnableRules } from '../rules/load-rules.ts'

/** Shows which parts of a rule match an event and which do not, and what the taxonomy makes of the event. */
export const explainCommand = defineCommand({
  name: 'explain',
  summary: 'Shows which parts of a rule match an event and which do not.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    input: {
      ...inputOptions.input,
      help: 'One event as a JSON object, or several as NDJSON, plain or gzip: files, directories, patterns, or - for stdin, the '
        + 'default. May be repeated.',
    },
    line: {
      kind: 'repeated',
      value: '<number|path:number>',
      help: 'Explains the event in this line alone, numbered as detect and explain print it: in every input, or in the one that is '
        + 'named as they name it. May be repeated. Correlation rules still see all events.',
    },
    ...engineOptions,
    json: { kind: 'flag', help: 'Prints one JSON object per event and rule.' },
    ...ruleOptions,
  },
  notes: [
    'Before the rules it says which row of the taxonomy recognized the event, its log sources, and which of its fields have other '
      + 'names in rules.',
    'With --json a line is {"line","event","rule_id","title","matched","logsource_matched","matched_conditions","explain"}, and '
      + '"event" is {"recognized_as","logsources","renamed"}. Lines of an input count from 1; with several, "input" names it, and '
      + '"lines" of a correlation are such pairs.',
    'A correlation rule is explained over all events, in event time: {"rule_id","title","matched",'
      + '"matched_conditions","matches","explain"}, with the value of each group and the rules that did not match in it.',
    'Exit codes: 0 explained, whether or not the rule matches; 2 wrong arguments; 65 no rule compiled, or no event, '
      + 'also in the chosen lines; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const { taxonomy, lenient } = options
    const isChosen = parseLineOption(options.line)
    const { ruleSet } = loadRunnableRules({ ...options, paths: operands }, context)
    const print = options.json ? printExplanationLine : printExplanation
    const events = await readAllEvents(options, context)
    const chosen = events.filter(({ place }) => isChosen(place))
    if (chosen.length === 0) throw new ExitError(exitCodes.noData, `no input has an event in line ${options.line.join(' or ')}`)
    for (const { place, event } of chosen) {
      const recognition = recognizeEvent(event, taxonomy)
      if (!options.json && ruleSet.rules.length > 0) await writeText(context.stdout, printRecognition({ place, recognition }))
      for (const rule of ruleSet.rules) {
        await writeText(context.stdout, print({ place, rule, recognition, explanation: explain(rule, event, { taxonomy, lenient }) }))
      }
    }
    const printCorrelation = options.json ? printCorrelationExplanationLine : printCorrelationExplanation
    const arrivedAt = context.wallClock()
    let undatedMax = 0
    for (const rule of ruleSet.correlations) {
      const explanation = explainCorrelation(ruleSet, rule.id, events.map(({ event }) => event), { taxonomy, lenient, arrivedAt })
      undatedMax = Math.max(undatedMax, explanation.counts.undated)
      await writeText(context.stdout, printCorrelation({ rule, explanation, placeOf: (row) => events[row]!.place }))
    }
    hintUndated(undatedMax, context)
    return exitCodes.ok
  },
})
