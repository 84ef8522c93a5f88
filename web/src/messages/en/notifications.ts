// Notifications on this device.
export const notificationsText = {
  notificationsOnThisDevice: 'Notifications on this device',
  sendTest: 'Send test',
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  onSince: 'On since {moment}',
  turnOffDevice: 'Turn off {device}',
} as const
