<?php
// php -S 127.0.0.1:9900 receiver.php

const TOLERANCE_SECONDS = 300;

function is_signed(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a rotation there are several signatures, separated by blanks.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$secret = (string) getenv('UPVANE_WEBHOOK_SECRET');
$key = (string) base64_decode(substr($secret, strlen('whsec_')), true);
// The bytes as they arrived, not $_POST and nothing that was decoded.
$body = file_get_contents('php://input');
// With an empty key anybody could sign.
if (strlen($key) < 24 || !is_signed($key, $body)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
error_log("{$event['id']} {$event['type']}");
http_response_code(204);
