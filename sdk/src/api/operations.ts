// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.

/** Operation id, method and path below /api/v1; `body` where the caller gives one. */
export const OPERATIONS = {
  monitors: {
    list: 'listMonitors GET /monitors',
    create: 'createMonitor POST /monitors body',
    get: 'getMonitor GET /monitors/{id}',
    update: 'updateMonitor PATCH /monitors/{id} body',
    delete: 'deleteMonitor DELETE /monitors/{id}',
    pause: 'pauseMonitor POST /monitors/{id}/pause',
    resume: 'resumeMonitor POST /monitors/{id}/resume',
    check: 'checkMonitor POST /monitors/{id}/check',
  },
  incidents: {
    list: 'listIncidents GET /incidents',
    get: 'getIncident GET /incidents/{id}',
    acknowledge: 'acknowledgeIncident POST /incidents/{id}/acknowledge body',
  },
  statusPages: {
    list: 'listStatusPages GET /status-pages',
    create: 'createStatusPage POST /status-pages body',
    get: 'getStatusPage GET /status-pages/{id}',
    update: 'updateStatusPage PATCH /status-pages/{id} body',
    delete: 'deleteStatusPage DELETE /status-pages/{id}',
  },
  maintenanceWindows: {
    list: 'listMaintenanceWindows GET /maintenance-windows',
    create: 'createMaintenanceWindow POST /maintenance-windows body',
    get: 'getMaintenanceWindow GET /maintenance-windows/{id}',
    update: 'updateMaintenanceWindow PATCH /maintenance-windows/{id} body',
    delete: 'deleteMaintenanceWindow DELETE /maintenance-windows/{id}',
  },
  statusIncidents: {
    list: 'listStatusIncidents GET /status-incidents',
    create: 'createStatusIncident POST /status-incidents body',
    get: 'getStatusIncident GET /status-incidents/{id}',
    update: 'updateStatusIncident PATCH /status-incidents/{id} body',
    delete: 'deleteStatusIncident DELETE /status-incidents/{id}',
    addUpdate: 'createStatusIncidentUpdate POST /status-incidents/{id}/updates body',
  },
  webhookEndpoints: {
    list: 'listWebhookEndpoints GET /webhook-endpoints',
    create: 'createWebhookEndpoint POST /webhook-endpoints body',
    get: 'getWebhookEndpoint GET /webhook-endpoints/{id}',
    update: 'updateWebhookEndpoint PATCH /webhook-endpoints/{id} body',
    delete: 'deleteWebhookEndpoint DELETE /webhook-endpoints/{id}',
    rotateSecret: 'rotateWebhookEndpointSecret POST /webhook-endpoints/{id}/rotate-secret',
    test: 'testWebhookEndpoint POST /webhook-endpoints/{id}/test',
  },
  webhookDeliveries: {
    list: 'listWebhookDeliveries GET /webhook-deliveries',
    get: 'getWebhookDelivery GET /webhook-deliveries/{id}',
    retry: 'retryWebhookDelivery POST /webhook-deliveries/{id}/retry',
  },
} as const
