import { ConnectionError, isApiError, Upvane } from '@upvane/sdk'

const upvane = new Upvane({
  baseUrl: process.env['UPVANE_URL'] ?? '',
  apiKey: process.env['UPVANE_API_KEY'] ?? '',
})

try {
  await upvane.monitors.get('mon_00000000000000000000000000')
} catch (error) {
  if (isApiError(error, 'not_found')) {
    console.log('There is no such monitor.')
  } else if (isApiError(error, 'validation_error')) {
    for (const { path, message } of error.details) console.log(path, message)
  } else if (isApiError(error)) {
    console.log(`${error.code}: quote ${error.requestId} when you ask for help.`)
  } else if (error instanceof ConnectionError) {
    console.log(`No answer after ${error.attempts} attempts.`)
  } else throw error
}
