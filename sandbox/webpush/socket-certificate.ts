// A self-signed certificate for the stand-in of the browsers' push socket, on loopback. It protects
// nothing: a browser takes it only if it was started with the switches that browser.ts gives.

export const socketCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBJDlXYGn7hNQpZgQ
R/KsploCIowiWSvmqBHVhym6PEmhRANCAAQ9oIZgJujVUV2kbZs6l0lYkrHGJBw5
cby85Kk5QLSiSbBMgIfLSO3bXkbVLBcgMNWJ2uF/hRlomyCBuBsCkuUR
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUAO4cMSumPNJtnfcydOUbjBfj9DEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEzMDE1NDc1MVoYDzIxMjYxMTA2
MTU0NzUxWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ9oIZgJujVUV2kbZs6l0lYkrHGJBw5cby85Kk5QLSiSbBMgIfLSO3b
XkbVLBcgMNWJ2uF/hRlomyCBuBsCkuURo2QwYjAdBgNVHQ4EFgQUQXkg9IgllWE9
fT2f+5Ybb11QDW8wHwYDVR0jBBgwFoAUQXkg9IgllWE9fT2f+5Ybb11QDW8wDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQDw0rmK6Az5Nu95IF84iFkgSrNtH6O1WA8X3BIsosVuzAIgFJoeci9Bsx+wbrj3
8Zs4/ObuWHUxJQ89ug3wMVQ40ro=
-----END CERTIFICATE-----
`,
};
