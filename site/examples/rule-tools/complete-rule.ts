import { completeRule } from '@tripline/rule-tools'

const text = 'title: A\nle'
console.log(completeRule(text, text.length, { fields: [] }))
