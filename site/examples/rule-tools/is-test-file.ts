import { isTestFile } from '@tripline/rule-tools'

console.log(isTestFile('whoami.test.yml'), isTestFile('whoami.yml'))
