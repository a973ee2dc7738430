import { exitCodes } from '@tripline/common/exit-error'
import { printTaxonomyPipeline, taxonomyShapes } from '@tripline/rule-tools'
import { defineCommand } from '../framework/command.ts'
import { writeText } from '../framework/write-text.ts'

/** Prints how the engine reads events, as a processing pipeline. */
export const taxonomyCommand = defineCommand({
  name: 'taxonomy',
  summary: "Prints Tripline's taxonomy as a processing pipeline of pySigma.",
  options: {
    shape: {
      kind: 'choice', value: '<shape>', choices: taxonomyShapes, default: 'sysmon',
      help: 'The events: sysmon or windows-audit (channels and event ids that log sources stand for), ecs or general (names of fields).',
    },
    json: { kind: 'flag', help: 'Prints one JSON object: {"shape","pipeline"}, with the YAML as a text.' },
  },
  notes: [
    'The engine applies this taxonomy to events by itself. Printed, it converts rules for other systems '
      + '(tripline taxonomy > own.yml; tripline convert --language sqlite -p own.yml rules), or is where your own pipeline begins.',
  ],
  async run({ options }, { stdout }) {
    const { shape, json: isJson } = options
    const pipeline = printTaxonomyPipeline(shape)
    await writeText(stdout, isJson ? `${JSON.stringify({ shape, pipeline })}\n` : pipeline)
    return exitCodes.ok
  },
})
