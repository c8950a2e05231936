#!/usr/bin/env python3
"""forecast.get: the weather of a city, invented but always the same for the same city."""
import json
import sys
import zlib

TOOL = {
    "name": "forecast.get",
    "title": "Forecast",
    "description": "The weather of the next days for a city.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1, "maxLength": 100},
            "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 1},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "sky": {"enum": ["sunny", "cloudy", "rainy", "snowy"]},
                        "celsius": {"type": "integer"},
                    },
                    "required": ["sky", "celsius"],
                },
            },
        },
        "required": ["city", "days"],
    },
    "annotations": {"readOnlyHint": True, "idempotentHint": True},
}


def forecast(city, days):
    seed = zlib.crc32(city.encode())
    for _ in range(days):
        yield {"sky": ("sunny", "cloudy", "rainy", "snowy")[seed % 4], "celsius": seed % 30 - 5}
        seed = zlib.crc32(b"%d" % seed)


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "list":
        send({"type": "tools", "tools": [TOOL]})
    elif message["type"] == "call":
        arguments = message["arguments"]
        days = list(forecast(arguments["city"], int(arguments.get("days", 1))))
        text = "; ".join(f"{day['sky']}, {day['celsius']} °C" for day in days)
        send({
            "type": "result",
            "task": message["task"],
            "result": {
                "content": [{"type": "text", "text": f"{arguments['city']}: {text}"}],
                "structuredContent": {"city": arguments["city"], "days": days},
            },
        })
