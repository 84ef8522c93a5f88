// @upvane/sdk/testing: an API in memory, for tests of programs that use the client.
export {
  type FakeCall,
  type FakeFailure,
  type FakeOptions,
  type FakeUpvane,
  fakeUpvane,
} from './testing/fake-upvane.ts'
export type { FakeItems } from './testing/store.ts'
