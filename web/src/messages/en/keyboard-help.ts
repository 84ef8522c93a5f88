// The list of shortcuts, which is loaded when it is opened.
export const keyboardHelpText = {
  title: 'Keyboard shortcuts',
  about: 'Works everywhere except while you type.',
  singleKeys: 'Single-key shortcuts',
  always: 'always works.',
} as const
