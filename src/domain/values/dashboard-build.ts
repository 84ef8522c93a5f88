// Which build of the dashboard this is: the hash in the name of its first script, which the page and the server both know.

/** In responses of the private API. A tab of another build reloads when its user goes to another screen. */
export const BUILD_HEADER = 'Upvane-Build'

export const buildOf = (text: string): string | undefined =>
  /\/assets\/index-([\w-]+)\.js/.exec(text)?.[1]
