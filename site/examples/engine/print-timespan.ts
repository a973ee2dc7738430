import { printTimespan } from '@tripline/engine'

console.log(printTimespan(5_400_000), printTimespan(86_400_000))
