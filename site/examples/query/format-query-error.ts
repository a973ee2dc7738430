import { QueryError, formatQueryError, parseQuery } from '@tripline/query'

const text = 'user:(alice'
try {
  parseQuery(text)
} catch (error) {
  if (error instanceof QueryError) console.log(formatQueryError(text, error))
}
