export const managedByText = {
  label: (source: string) => `Managed by ${source}`,
  at: (address: string) => `Entry ${address}`,
  warning: (source: string) =>
    `What you change here is overwritten when ${source} is applied again. Change it in the file instead.`,
}
