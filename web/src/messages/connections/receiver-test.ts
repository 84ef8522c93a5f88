// The test of a contact or an endpoint before it is saved.

export const receiverTestText = {
  send: 'Send test',
  delivered: (took: string) => `Test delivered in ${took}`,
  accepted: (took: string) => `Mail server accepted the test in ${took}`,
  failed: 'Test failed',
  response: 'Response',
  http: (status: number) => `HTTP ${status}`,
  /** The API says what a response means for deliveries; this is about one test. */
  reason: (status: number | null, error: string | null) =>
    error === null || error === `Answered with HTTP ${status}`
      ? `The receiver responded with HTTP ${status ?? '–'}.`
      : `${error}.`,
  temporarySecret:
    'Signed with a temporary secret, because the real one is created when you save. A receiver that verifies signatures rejects this test.',
}
