// Where Debian puts Chromium. The shell is the same engine without the windows around it, which cost more than most pages;
// it shows no notifications.

export const BROWSERS = { shell: '/usr/bin/chromium-headless-shell', whole: '/usr/bin/chromium' }
export type BrowserName = keyof typeof BROWSERS
