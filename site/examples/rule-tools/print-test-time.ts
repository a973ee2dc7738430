import { printTestTime } from '@tripline/rule-tools'

console.log(printTestTime(90_000, 0), printTestTime(0, 5_000))
