// The menu of saved views. Separate from its dialogs, because the list is part of the first load.
export const viewsMenuText = {
  button: 'Views',
  save: 'Save this view…',
  manage: 'Manage views…',
  manageTags: 'Manage tags…',
} as const
