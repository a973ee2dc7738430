import { parseRegressionInfo } from '@tripline/rule-tools'

const text = `
rule_metadata:
  - id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
    title: Whoami
regression_tests_info:
  - name: Positive Detection Test
    type: evtx
    match_count: 1
    path: regression_data/whoami.evtx
`
const { ruleId, tests } = parseRegressionInfo(text, 'info.yml')
console.log(ruleId, tests.map(({ name, file }) => `${name}: ${file}`))
