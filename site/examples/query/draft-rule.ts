import { draftRule, parseQuery } from '@tripline/query'

const draft = draftRule(parseQuery('User:alice and not Image:*\\\\cmd.exe'), { title: 'Alice', logsource: { product: 'windows' } })
console.log('yaml' in draft ? draft.yaml : draft.unsaid)
